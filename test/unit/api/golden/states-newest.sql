SELECT <state columns>
FROM base.accounts_latest
WHERE account = unhex({account:String})
AND workchain = {workchain:Int32}
ORDER BY account DESC, workchain DESC, lt DESC
LIMIT 1 BY account, workchain
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- workchain = 0
