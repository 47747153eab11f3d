"""`fastmcp` 4.x, a client on top of `mcp` 2.x, of both eras."""

import asyncio
from contextlib import AsyncExitStack
from importlib.metadata import version

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from lines import Prompts, dumped, obey, say
from mcp_types import ElicitCompleteNotification


async def main():
    prompts = Prompts()
    client = None

    async def elicited(_message, _response_type, params, _context):
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
            client = Client(url, mode=mode, elicitation_handler=elicited, message_handler=heard)
            await stack.enter_async_context(client)
            tools = [tool.name for tool in await client.list_tools()]
            return {"version": version("fastmcp"), "revision": client.protocol_version, "tools": tools}

        async def call(tool, arguments):
            return dumped(await client.call_tool_mcp(tool, arguments))

        await obey({"connect": connect, "call": call, "answer": prompts.answer})


asyncio.run(main())
