"""What the Python client programs have in common: the same lines of JSON as in ../lines.mjs."""

import asyncio
import itertools
import json
import sys
import threading
import traceback


def say(**event):
    """Writes one event."""
    print(json.dumps(event), flush=True)


class Prompts:
    """The prompts that wait for an answer."""

    def __init__(self):
        self._open = {}
        self._numbers = itertools.count(1)

    async def ask(self, params):
        """An elicitation callback: tells of the prompt, and waits for what to answer."""
        prompt = next(self._numbers)
        self._open[prompt] = asyncio.get_running_loop().create_future()
        say(event="prompt", prompt=prompt, params=params)
        try:
            return await self._open[prompt]
        except asyncio.CancelledError:
            say(event="withdrawn", prompt=prompt)
            raise
        finally:
            del self._open[prompt]

    async def answer(self, prompt, action):
        """Answers a prompt; says whether the answer was still wanted."""
        waiting = self._open.get(prompt)
        if waiting is None or waiting.done():
            return {"wanted": False}
        waiting.set_result(action)
        return {"wanted": True}


def dumped(model):
    """A message as it stands on the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def obey(commands):
    """Obeys commands, several at a time, until there are no more. `connect` is an async context manager."""
    loop, lines, running = asyncio.get_running_loop(), asyncio.Queue(), set()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, json.loads(line))
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()

    async def run(id, verb, arguments):
        try:
            say(id=id, result=await commands[verb](**arguments))
        except Exception as error:
            traceback.print_exc()
            say(id=id, error=f"{type(error).__name__}: {error}")

    # The connection is entered and left in this one task: what stands behind it may not change tasks.
    while command := await lines.get():
        id, verb = command.pop("id"), command.pop("do")
        if verb == "close":
            say(id=id, result=None)
            return
        if verb == "connect":
            await run(id, verb, command)
        else:
            task = asyncio.create_task(run(id, verb, command))
            running.add(task)
            task.add_done_callback(running.discard)
