"""Makes calls of the published client `toncenter` and prints what came of each, as one JSON array.

Standard input: {"url": ..., "calls": [[generation, group, method, arguments], ...], "streams": [[transport, subscription, events], ...]}
"""

import asyncio
import importlib
import inspect
import json
import sys

from pydantic import BaseModel
from toncenter.rest.client import ToncenterRestClient
from toncenter.streaming import ToncenterSSE, ToncenterWebSocket
from toncenter.types import Network

MODELS = importlib.import_module("toncenter.rest.v3.models")


def plain(value):
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return value


def model_of(method):
    """The model that a method of v3 takes as its body."""
    name = str(inspect.signature(method).parameters["body"].annotation)
    return getattr(MODELS, name)


async def call(client, generation, group, name, arguments):
    method = getattr(getattr(getattr(client, generation), group), name)
    try:
        if generation == "v3" and "body" in arguments:
            arguments = {"body": model_of(method)(**arguments["body"])}
        return {"result": plain(await method(**arguments))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


async def listen(url, transport, subscription, count):
    kind = {"sse": ToncenterSSE, "ws": ToncenterWebSocket}[transport]
    stream = kind("none", Network.MAINNET, base_url=url)
    await stream.create_session()
    stop = asyncio.Event()
    events = []
    try:
        async for event in stream.subscribe(**subscription, stop=stop):
            events.append(plain(event))
            if len(events) == count:
                stop.set()
                break
        return {"result": events}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        await stream.close_session()


async def main():
    asked = json.load(sys.stdin)
    outcomes = []
    async with ToncenterRestClient(base_url=asked["url"], rps_limit=0, retry_policy=None, timeout=60) as client:
        for one in asked["calls"]:
            outcomes.append(await call(client, *one))
    for one in asked["streams"]:
        outcomes.append(await listen(asked["url"], *one))
    json.dump(outcomes, sys.stdout)


asyncio.run(main())
