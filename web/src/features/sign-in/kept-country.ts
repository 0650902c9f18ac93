import { type Country, countries } from './countries.ts'

const key = 'country'

/** The country chosen last on this phone, else the first (AMB-029). A browser may refuse its storage; nothing depends on it. */
export function readCountry(): Country {
  try {
    const dialling = localStorage.getItem(key)
    return countries.find((country) => country.dialling === dialling) ?? countries[0]
  } catch {
    return countries[0]
  }
}

export function keepCountry({ dialling }: Country) {
  try {
    localStorage.setItem(key, dialling)
  } catch {}
}
