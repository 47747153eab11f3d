// An OpenID Connect provider on loopback: `oidc-provider`, with a page to sign in on that believes whoever comes.

import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const CLIENT = 'sayso';
const SECRET = 'a-secret-of-the-tests';

export class Identities {
  private provider?: Provider;

  private constructor(
    private readonly http: HttpServer,
    readonly issuer: string,
  ) {}

  static async start(): Promise<Identities> {
    const http = createServer();
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
    return new Identities(http, `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  }

  /** What a server is set to that trusts this provider. */
  get settings(): Record<string, string> {
    return { SAYSO_OIDC_ISSUER: this.issuer, SAYSO_OIDC_CLIENT_ID: CLIENT, SAYSO_OIDC_CLIENT_SECRET: SECRET };
  }

  /** Vouches for people towards the server at this address. */
  serve(server: string): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT,
          client_secret: SECRET,
          redirect_uris: [`${server}/sign-in/callback`],
          post_logout_redirect_uris: [`${server}/sign-out`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      cookies: { keys: ['tests'] },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          // The provider's own page, without what it loads from elsewhere.
          logoutSource: (context, form) => void (context.body = LOGOUT.replace('FORM', form)),
        },
      },
      interactions: { url: (_, interaction) => `/login/${interaction.uid}` },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id, groups: [`${id}s`] }),
      }),
      // Everybody has agreed to everything that is asked for.
      loadExistingGrant: async (context) => {
        const { client, session, provider, params } = context.oidc;
        const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
        grant.addOIDCScope(String(params!.scope));
        await grant.save();
        return grant;
      },
    });
    this.provider = provider;
    const callback = provider.callback();
    this.http.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!request.url?.startsWith('/login/')) void callback(request, response);
      else if (request.method === 'POST') void this.believe(request, response);
      else response.setHeader('content-type', 'text/html').end(LOGIN);
    });
  }

  private async believe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const accountId = new URLSearchParams(body).get('name') ?? '';
    await this.provider!.interactionFinished(request, response, { login: { accountId } });
  }

  async dispose(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((closed) => this.http.close(closed));
  }
}

const LOGOUT = `<!DOCTYPE html><html lang="en"><title>Sign out?</title><link rel="icon" href="data:,">FORM
<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>
<button form="op.logoutForm">No, stay signed in</button></html>`;

const LOGIN = `<!DOCTYPE html><html lang="en"><title>Who are you?</title><link rel="icon" href="data:,">
<form method="post"><label>Name <input name="name" autofocus></label><button>Continue</button></form></html>`;
