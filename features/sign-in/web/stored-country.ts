import { type Country, countries } from './countries.ts'

const key = 'country'

/** The country last chosen on this phone, or the first one. Works without storage too. */
export function readCountry(): Country {
  try {
    const dialling = localStorage.getItem(key)
    return countries.find((country) => country.dialling === dialling) ?? countries[0]
  } catch {
    return countries[0]
  }
}

export function storeCountry({ dialling }: Country) {
  try {
    localStorage.setItem(key, dialling)
  } catch {}
}
