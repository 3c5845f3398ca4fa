-- Methods of codes that do not begin with a dictionary of methods, by the one that stands further in: compilers put the handler of messages
-- before it. Such methods are asked for, and are no `contract_methods`. A code without any has a row too: it is not looked at again.
CREATE TABLE IF NOT EXISTS {db}.hidden_methods{cluster}
(
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    is_known Bool COMMENT 'The data of its accounts is read without the TVM.',
    methods String COMMENT 'Ids of its methods, four bytes each, least significant first.' CODEC(ZSTD(1)),
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY code_hash
SETTINGS index_granularity = 256
COMMENT 'Methods of codes that do not begin with a dictionary of methods. A searched code without any has a row too.';
