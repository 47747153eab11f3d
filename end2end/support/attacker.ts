// Somebody else's machine: whatever reaches it, and be it a connection without a word, has left the house.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Attacker {
  /** What reached it: connections, requests, datagrams. */
  readonly heard: string[] = [];
  private readonly udp = createSocket('udp4');
  private readonly tcp = createServer((request, response) => {
    this.heard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end();
  });

  private constructor(private readonly port: number) {}

  /** Listens to TCP and UDP on one free port. */
  static async start(): Promise<Attacker> {
    const probe = await listening(createServer());
    const { port } = probe.address() as AddressInfo;
    await new Promise((closed) => probe.close(closed));
    const attacker = new Attacker(port);
    attacker.tcp.on('upgrade', (request, socket) => {
      attacker.heard.push(`an upgrade of ${request.url}`);
      socket.destroy();
    });
    attacker.tcp.on('connection', () => attacker.heard.push('a connection'));
    await listening(attacker.tcp, port);
    attacker.udp.on('message', () => attacker.heard.push('a datagram'));
    attacker.udp.bind(port, '127.0.0.1');
    await once(attacker.udp, 'listening');
    return attacker;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    this.udp.close();
    await closed(this.tcp);
  }
}

/** A site that lets its documents do everything: what an attack does there shows that it is one. */
export class Careless {
  private document = '';
  private readonly server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(this.document);
  });

  static async start(): Promise<Careless> {
    const site = new Careless();
    await listening(site.server);
    return site;
  }

  /** Where a document with this in it is, from now on. */
  serve(markup: string): string {
    this.document = `<!DOCTYPE html><title>Careless</title><body>${markup}`;
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    await closed(this.server);
  }
}

async function listening(server: Server, port = 0): Promise<Server> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

async function closed(server: Server): Promise<void> {
  const done = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await done;
}
