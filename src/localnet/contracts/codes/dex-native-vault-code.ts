/** Code of dex-native-vault.tolk, compiled by @ton/tolk-js 1.3.0: a BoC in base64. */
export const DEX_NATIVE_VAULT_CODE =
  'te6ccgEBBQEA7wABFP8A9KQT9LzyyAsBAgFiAgMBxtD4kfJA+CdvEPiXoSHXLCdQMMLs4wLXLCVqdbesjjsy+JLtRND6SPpIMdHHBfLi' +
  'wAHTP9Qx+gD6SPQFUEKhcPsCyM+FCBP6UoIQR0+Gz88Ljss/9ADJgwb7AOBbhA8BxwDy9AQAC6C6ERYhAQDaMu1E0PpI+kjRA9M/+gD6' +
  'SNIA+gD0BNdMUUfHBfLiv/iXJYIQBycOAKC+8uLFUXSgcPsCB8j6Us+IBCDJ+JLIz5GHuVC2Fss/zFAD+gIT+lLKAFAE+gIS9AASzMnI' +
  'z4UIEvpScc8LbszJgwb7AA==';
