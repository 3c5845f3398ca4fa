SELECT account, concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, reason != '', mc_seqno, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(''))), content, '')
FROM detections.detections PREWHERE account = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND workchain = 0
AND kind IN ('jetton_wallet', 'nft_item')
AND mc_seqno <= {UInt32 90}
