"""Asks a lite server through pytoniq with all proofs on (trust level 0), and prints one JSON object a request."""
import asyncio, json, sys
from pytoniq import LiteClient

config = json.load(open(sys.argv[1]))
facts = json.loads(sys.argv[2])


async def main():
    client = LiteClient.from_config(config, 0, trust_level=0, timeout=60)

    async def ask(name, request):
        try:
            await request()
            print(json.dumps({"request": name, "accepted": True}), flush=True)
        except Exception as error:
            print(json.dumps({"request": name, "accepted": False, "error": f"{type(error).__name__}: {error}"}), flush=True)

    await ask("connect and prove the head", client.connect)
    if facts.get("only_connect"):
        return
    await ask("getMasterchainInfo", client.get_masterchain_info)
    await ask("getMasterchainInfoExt", client.get_masterchain_info_ext)
    await ask("lookupBlock", lambda: client.lookup_block(-1, -(2**63), facts["seqno"]))
    await ask("getAllShardsInfo", client.get_all_shards_info)
    for account in facts["accounts"]:
        await ask(f"getAccountState {account[:6]}", lambda: client.raw_get_account_state(account))
    await ask("getBlock", lambda: client.raw_get_block(client.last_mc_block))
    await ask("getBlockHeader", lambda: client.raw_get_block_header(client.last_mc_block))
    await ask("getTransactions", lambda: client.get_transactions(facts["accounts"][0], 5))
    await ask("listBlockTransactions", lambda: client.raw_get_block_transactions(client.last_mc_block))
    await ask("runSmcMethod", lambda: client.run_get_method(facts["wallet"], "seqno", []))
    await client.close()


asyncio.run(main())
