-- Messages of all transactions. An internal message has two rows, one a direction. The partition date is tx_now.
-- reads: base
-- adds: traces
-- needs: base.messages.tx_now base.external_messages.tx_now
SELECT
    base64Encode(m.tx_hash) AS tx_hash, -- Hash of the transaction that sent or received the message
    toInt64(m.tx_lt) AS tx_lt, -- Logical time of that transaction
    toInt32(m.tx_now) AS tx_now, -- Time of that transaction, Unix seconds
    base64Encode(m.hash) AS msg_hash, -- Hash of the message
    toString(m.side) AS direction, -- in for the receiving transaction, out for the sending one
    {trace_id m.tx_account m.tx_workchain m.tx_lt} AS trace_id, -- Trace of the transaction; null while the trace is not indexed
    if(m.source_kind = 'std', concat(toString(m.source_workchain), ':', hex(m.source)), NULL) AS source, -- Sender; null for external-in messages
    if(m.destination_kind = 'std', concat(toString(m.destination_workchain), ':', hex(m.destination)), NULL) AS destination, -- Receiver; null for external-out messages
    if(m.kind = 'internal', toInt64(m.value), NULL) AS value, -- Value, nanotons; null for external messages
    if(m.kind = 'internal', toInt64(m.fwd_fee), NULL) AS fwd_fee, -- Forward fee, nanotons; null for external messages
    if(m.kind = 'internal', toInt64(m.ihr_fee), NULL) AS ihr_fee, -- Fee of instant routing, nanotons; null for external messages
    if(m.kind = 'ext_in', NULL, toInt64(m.created_lt)) AS created_lt, -- Logical time of the message; null for external-in messages
    toNullable(toInt64(if(m.kind = 'ext_in', m.tx_now, m.created_at))) AS created_at, -- Time of the message, Unix seconds; of the transaction for external-in messages
    toInt32(m.opcode) AS opcode, -- First 32 bits of the body, as a signed number; null for a shorter body
    if(m.kind = 'internal', m.ihr_disabled, NULL) AS ihr_disabled, -- True if instant routing is off; null for external messages
    if(m.kind = 'internal', m.bounce, NULL) AS bounce, -- True if a failed message returns; null for external messages
    if(m.kind = 'internal', m.bounced, NULL) AS bounced, -- True for a message that returned; null for external messages
    if(m.kind = 'ext_in', toInt64(m.import_fee), NULL) AS import_fee, -- Import fee, nanotons; null unless external-in
    toNullable(base64Encode(m.body_hash)) AS body_hash, -- Hash of the body
    toNullable(m.body) AS body_boc, -- Body as raw bytes of a bag of cells
    if(m.opcode = 0, {comment m.body}, NULL) AS comment, -- Text comment of the body, without zero bytes; null for another body or invalid UTF-8
    {hash m.init_hash} AS init_state_hash, -- Hash of the initial state; null without one
    nullIf(m.init, '') AS init_state_boc, -- Initial state as raw bytes of a bag of cells; null without one
    toDateTime(m.tx_now, 'UTC') AS block_time, -- Time of the transaction, UTC
    toDate(toDateTime(m.tx_now, 'UTC')) AS block_date -- Date of the transaction, UTC
FROM
(
    SELECT
        o.side, o.tx_now, o.kind, o.hash, o.tx_hash, o.tx_lt, o.tx_account, o.tx_workchain, o.source_kind, o.source_workchain,
        o.source, o.destination_kind, o.destination_workchain, o.destination, o.value, o.fwd_fee, o.ihr_fee, o.import_fee,
        o.created_lt, o.created_at, o.opcode, o.ihr_disabled, o.bounce, o.bounced, o.body_hash, o.body, o.init_hash, o.init
    FROM {base}.messages AS o
    WHERE o.created_lt > 0 AND {visible base o}
    UNION ALL
    SELECT
        e.side, e.tx_now, e.kind, e.hash, e.tx_hash, e.tx_lt, e.tx_account, e.tx_workchain, e.source_kind, e.source_workchain,
        e.source, e.destination_kind, e.destination_workchain, e.destination, e.value, e.fwd_fee, e.ihr_fee, e.import_fee,
        e.created_lt, e.created_at, e.opcode, e.ihr_disabled, e.bounce, e.bounced, e.body_hash, e.body, e.init_hash, e.init
    FROM {base}.external_messages AS e
    WHERE {visible base e}
) AS m
