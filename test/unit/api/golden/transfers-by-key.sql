SELECT account, payload
FROM contracts.token_transfers PREWHERE kind = 'jetton_transfer'
AND lt IN (5)
