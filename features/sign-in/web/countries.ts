import type { FlagName } from './flag.tsx'

export interface Country {
  label: string
  /** Country code, as it is dialled. */
  dialling: string
  flag: FlagName
  hint: string
  /** What a mobile number looks like within the country. */
  mobile: RegExp
}

/** In this order, the first chosen at the start. Each with its rule and its hint. */
export const countries = [
  {
    label: 'Australia',
    dialling: '61',
    flag: 'AU',
    hint: 'Australian must be 10 digits starting with 04',
    mobile: /^04\d{8}$/,
  },
  {
    label: 'New Zealand',
    dialling: '64',
    flag: 'NZ',
    hint: 'New Zealand 10 digits starting with 02',
    mobile: /^02\d{8}$/,
  },
  {
    label: 'United States',
    dialling: '1',
    flag: 'US',
    hint: 'US 10 digits starting with the 3-digit area code',
    mobile: /^\d{10}$/,
  },
  {
    label: 'United Kingdom',
    dialling: '44',
    flag: 'GB',
    hint: 'UK 11 digits starting with 07',
    mobile: /^07\d{9}$/,
  },
] as const satisfies readonly Country[]

interface MobileEntry {
  country: Country
  number: string
}

/**
 * Spaces, dashes, dots and brackets go as they are typed or pasted. A whole number with a country code ('+61…',
 * '0061…' or '61…') chooses its country and is shown as it is dialled there. What else is no digit makes it invalid.
 */
export function readEntry(text: string, chosen: Country): MobileEntry {
  const number = text.replace(/[\s().\p{Pd}]/gu, '')
  return (chosen.mobile.test(number) ? null : readInternational(number)) ?? { country: chosen, number }
}

function readInternational(number: string): MobileEntry | null {
  const digits = number.replace(/^(\+|00)/, '')
  for (const country of countries) {
    if (!digits.startsWith(country.dialling)) continue
    const rest = digits.slice(country.dialling.length)
    // No area code of the US begins with 0 or 1: 1 and an Australian number is a slip, not a number there.
    if (country.dialling === '1' && !/^[2-9]/.test(rest)) continue
    const national = country.dialling === '1' ? rest : rest.replace(/^0?/, '0')
    if (country.mobile.test(national)) return { country, number: national }
  }
  return null
}

/** The country code and the number without one leading 0; digits only. */
export const phoneOf = ({ dialling }: Country, number: string) => dialling + number.replace(/^0/, '')
