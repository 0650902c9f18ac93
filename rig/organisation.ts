import { type CsvFiles, importFiles } from './import-files.ts'
import {
  assignmentFile,
  catalogueFiles,
  eventTypeFile,
  type Identity,
  peopleFiles,
  placeFiles,
} from './organisation-files.ts'
import type { Product } from './product.ts'

export const password = 'evacuate1'
/** The argon2id hash of that password, with the parameters of the product. */
export const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$aEP1LXXBZ41qDXrZriHnIw$gL5yVU3QAnk/+IxK0Ni2kikQcTGndYj09aX/8aATEx4'

export interface TestOrganisation {
  site: string
  chief: string
  deputy: string
  /** Floor wardens of Tower A Level 1, Tower A Level 2 and Tower B Ground. */
  floor1: string
  floor2: string
  towerB: string
  /** Has been offered Tower A Level 2, and has not answered. */
  newcomer: string
  newcomerMobile: string
  /** The first of `furtherWardens`. */
  furtherWarden: string
  /** Digits with the country code of the n-th occupant of Level 1, counted from 0. */
  occupantMobile: (n: number) => string
  /** Mobile of the Level 1 warden, as typed in Australia. */
  floor1Mobile: string
}

interface OrganisationOver {
  site?: string
  /** Further Floor Wardens of Tower A Ground, each with a mobile. The first can sign in. */
  furtherWardens?: number
  /** First and last names of visitors of Tower A who are on no floor. */
  visitors?: readonly string[]
  /** Further event types, each a line of code, type, description, message, action and where. */
  eventTypes?: readonly string[]
  /** Further buildings, 'Block 1' and so on, of 40 floors each. */
  blocks?: number
}

/** Imports an organisation that no other test uses: one site, two towers, six wardens, 33 occupants. */
export async function importOrganisation(
  product: Pick<Product, 'import'>,
  { site: name, furtherWardens = 0, visitors = [], eventTypes = [], blocks = 0 }: OrganisationOver = {},
): Promise<TestOrganisation> {
  const identity = newIdentity()
  const { tag, emailOf, wardenMobile, occupantMobile } = identity
  const site = name ?? `Wharf ${tag}`
  const files: CsvFiles = {
    ...placeFiles(tag, site, blocks),
    ...catalogueFiles,
    event_types: eventTypeFile(eventTypes),
    ...peopleFiles(identity, furtherWardens, visitors),
    ...assignmentFile(furtherWardens),
    documents: ['code,name,url,file,site,role,person', 'PLAN,Emergency plan,,plan.txt,S,,'],
  }
  await importFiles(product, files, { 'plan.txt': 'Leave by the west stair.' })
  return {
    site,
    occupantMobile,
    chief: emailOf('chief'),
    deputy: emailOf('deputy'),
    floor1: emailOf('floor1'),
    floor2: emailOf('floor2'),
    towerB: emailOf('towerb'),
    newcomer: emailOf('newcomer'),
    newcomerMobile: wardenMobile(6),
    furtherWarden: emailOf('further'),
    floor1Mobile: wardenMobile(3),
  }
}

let made = 0

/** Addresses and numbers that no other organisation on this machine has. */
function newIdentity(): Identity {
  const nth = ++made
  const tag = `t${process.pid}x${nth}`
  const block = process.pid % 100
  return {
    tag,
    password,
    emailOf: (who: string) => `${who}@${tag}.test`,
    wardenMobile: (n: number) => `0491${digits(block * 100 + nth, 4)}${digits(n, 2)}`,
    occupantMobile: (n: number) => `61493${digits(block * 10_000 + nth * 40 + n, 6)}`,
  }
}

const digits = (n: number, length: number) => String(n).padStart(length, '0')
