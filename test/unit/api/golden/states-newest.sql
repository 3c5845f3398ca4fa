SELECT <state columns>
FROM base.accounts_latest PREWHERE account = unhex({account:String})
AND workchain = {workchain:Int32}
-- account = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
-- workchain = 0
