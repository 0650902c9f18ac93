interface CountryRule {
  code: string
  /** A national number without spaces. */
  national: RegExp
  rule: string
}

/** National forms of mobile numbers. */
const countries: Record<string, CountryRule> = {
  AU: { code: '61', national: /^04\d{8}$/, rule: '10 digits starting with 04' },
  NZ: { code: '64', national: /^02\d{8}$/, rule: '10 digits starting with 02' },
  US: { code: '1', national: /^[2-9]\d{9}$/, rule: '10 digits starting with the 3-digit area code' },
  UK: { code: '44', national: /^07\d{9}$/, rule: '11 digits starting with 07' },
}

export const countryCodes = ['AU', 'NZ', 'US', 'UK'] as const

/** '61', which stands in for the 0 of a national number. Empty for a country without a rule. */
export const countryCode = (country: string): string => countries[country]?.code ?? ''

export function mobileRule(country: string): string {
  return countries[country]?.rule ?? ''
}

/** Digits with country code, without plus. Undefined if it is neither a national number nor `+…`. */
export function readMobile(text: string, country: string): string | undefined {
  const number = text.replace(/[ \u00a0]/g, '')
  if (number.startsWith('+')) return readInternational(number.slice(1))
  const rule = countries[country]
  return rule?.national.test(number) ? rule.code + number.replace(/^0/, '') : undefined
}

/** E.164. Rejects a trunk 0 after our country codes (+61 04…), which would reach no one. */
function readInternational(digits: string): string | undefined {
  return /^[1-9]\d{7,14}$/.test(digits) && !/^(61|64|44)0/.test(digits) ? digits : undefined
}
