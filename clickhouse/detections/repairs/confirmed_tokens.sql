-- The outcomes of the range once more: merging keeps one row, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.confirmed_tokens (since, kind, workchain, account, item_index, has_parent, parent_workchain, parent)
SELECT state_seqno AS since, kind, workchain, account, if(kind = 'nft_item', amount, 0) AS item_index, has_parent,
    parent_workchain, parent
FROM {db:Identifier}.token_outcomes
WHERE reason = '' AND kind IN ('jetton_wallet', 'nft_item') AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};
