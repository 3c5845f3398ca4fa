-- Orders of multisigs in their newest state.
-- rows: newest
-- reads: contracts
-- adds: detections
SELECT
    concat(toString(d.workchain), ':', hex(d.account)) AS address, -- The order
    if(d.has_parent, concat(toString(d.parent_workchain), ':', hex(d.parent)), NULL) AS multisig_address, -- Its multisig
    JSONExtractString(d.details, 'order_seqno') AS order_seqno, -- Number of the order, decimal text
    JSONExtract(d.details, 'threshold', 'Int32') AS threshold, -- Approvals that it needs
    JSONExtract(d.details, 'sent_for_execution', 'Bool') AS sent_for_execution, -- True if it was executed
    JSONExtract(d.details, 'approvals_num', 'Int32') AS approvals_num, -- Approvals so far
    JSONExtractString(d.details, 'approvals_mask') AS approvals_mask, -- Signers that approved, as a bit mask, decimal text
    JSONExtract(d.details, 'expiration_date', 'Int64') AS expiration_date, -- Time at which it expires, Unix seconds
    JSONExtract(d.details, 'signers', 'Array(String)') AS signers, -- Signers
    base64Decode(JSONExtractString(d.details, 'order_boc')) AS order_boc, -- Actions as raw bytes of a bag of cells
    toInt64(d.lt) AS lt -- Logical time of the last change
FROM {newest_contracts multisig_order} AS d
