SELECT DISTINCT workchain, hex(account)
FROM contracts.contract_states PREWHERE account IN (unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'))
AND kind IN ('nft_sale', 'dns_item')
