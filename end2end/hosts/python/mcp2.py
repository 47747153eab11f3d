"""The official Python client, `mcp` 2.x, of both eras."""

import asyncio
from contextlib import AsyncExitStack
from importlib.metadata import version

from lines import Prompts, dumped, obey, say
from mcp import Client
from mcp_types import ElicitCompleteNotification, ElicitResult


async def main():
    prompts = Prompts()
    client = None

    async def elicited(_context, params):
        return ElicitResult(action=await prompts.ask(dumped(params)))

    async def heard(message):
        if isinstance(message, ElicitCompleteNotification):
            say(event="complete", elicitationId=message.params.elicitation_id)
        elif isinstance(message, Exception):
            say(event="trouble", message=f"{type(message).__name__}: {message}")

    async with AsyncExitStack() as stack:

        async def connect(url, era):
            nonlocal client
            mode = "auto" if era == "modern" else "legacy"
            client = Client(url, mode=mode, elicitation_callback=elicited, message_handler=heard)
            await stack.enter_async_context(client)
            tools = [tool.name for tool in (await client.list_tools()).tools]
            return {"version": version("mcp"), "revision": client.protocol_version, "tools": tools}

        async def call(tool, arguments):
            return dumped(await client.call_tool(tool, arguments))

        await obey({"connect": connect, "call": call, "answer": prompts.answer})


asyncio.run(main())
