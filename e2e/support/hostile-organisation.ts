import { importFiles } from '../../rig/import-files.ts'
import { password } from '../../rig/organisation.ts'
import type { Product } from '../../rig/product.ts'

/** The importer rejects marks that change the direction of text, and takes what no one can see for an empty cell. */
const refused = /[\u202a-\u202e\u2066-\u2069\u2028]|^\u2060$/
const modules =
  'Floor_Evacuation Evacuee_Safety Floor_Evacuation_Status Wardens_On_Duty Warden_Messaging My_Messages Event_Management Floor_Warden_Status Building_Evacuation_Status'

/** Part of every PEEP. Health data must not be stored in a browser. */
export const peepCanary = 'PEEP-CANARY'

/**
 * Imports an organisation whose names and texts are all taken from the list. It has one chief warden and one person per
 * text.
 */
export async function importHostileOrganisation(product: Product, all: readonly string[], tag: string) {
  const texts = all.filter((text) => !refused.test(text))
  let used = 0
  const next = () => texts[used++ % texts.length] as string
  const chief = `chief@${tag}.test`
  const names = { site: next(), building: next(), floor: next(), otherFloor: next(), role: next(), eventType: next() }

  await importFiles(product, {
    organisation: ['code,name,sms_allowed,timezone,country', [tag, next(), 'yes', 'Australia/Sydney', 'AU']],
    sites: ['code,name', ['S', names.site]],
    buildings: ['site,code,name', ['S', 'A', names.building]],
    floors: ['building,code,name,level', ['A', 'G', names.floor, '0'], ['A', '1', names.otherFloor, '1']],
    roles: ['code,name,area_domain,modules', ['CW', names.role, 'Site', modules]],
    floor_statuses: ['code,name,colour,display_order', ['NS', next(), 'grey', '1'], ['EV', next(), 'yellow', '2']],
    event_types: ['code,type,description,message', ['F', names.eventType, next(), next()]],
    templates: [
      'code,type,text',
      ...['Warden', 'Evacuee'].flatMap((type) => [0, 1, 2].map((n) => [`${type}${n}`, type, next()])),
    ],
    documents: ['code,name,url,site', ['D', next(), 'https://documents.test/"><script>alert(1)</script>', 'S']],
    people: [
      'code,first_name,last_name,email,mobile,password,floor',
      ['chief', next(), next(), chief, '0491570006', password, 'A/G'],
      ...texts.map((text, n) => [`o${n}`, text, `№${n}`, '', `0491${600_000 + n}`, '', n % 2 ? 'A/1' : 'A/G']),
    ],
    peeps: [
      'person,disability,assistance,other,summary',
      ...texts.slice(0, 60).map((text, n) => {
        const said = [text, next(), `${next()}\n${next()}`, next()]
        return [`o${n * 2}`, ...said.map((words) => `${peepCanary} ${words}`)]
      }),
    ],
    assignments: ['person,role,site,date_from,date_to,status', 'chief,CW,S,2020-01-01,2099-12-31,Accepted'],
  })
  return { chief, ...names }
}
