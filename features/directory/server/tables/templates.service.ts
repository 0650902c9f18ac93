import { csvLine } from '#server/platform/csv.ts'
import { type DirectoryFile, directoryFiles } from '../files/directory-files.ts'

/** One row of each file, in the order of its columns. A missing cell is empty. */
const examples: Record<DirectoryFile, Record<string, string>> = {
  organisation: {
    code: 'HARBOUR',
    name: 'Harbour Ltd',
    sms_allowed: 'yes',
    timezone: 'Australia/Sydney',
    country: 'AU',
    contact_email: 'office@harbour.test',
    retain_messages_days: '365',
  },
  sites: { code: 'QUARTER', name: 'Harbour Quarter', timezone: 'Australia/Sydney', drill_every_days: '365' },
  buildings: { site: 'QUARTER', code: 'A', name: 'Tower A' },
  floors: { building: 'A', code: 'L3', name: 'Level 3', level: '3', kind: 'floor' },
  roles: { code: 'FLOOR', name: 'Floor Warden', area_domain: 'Floor', modules: 'Floor_Evacuation My_Messages' },
  people: {
    ...{ code: 'P-000001', first_name: 'Ada', last_name: 'Abara', email: 'ada@harbour.test' },
    ...{ mobile: '+61 491 000 001', floor: 'A/L3', kind: 'staff', active: 'yes' },
  },
  groups: { code: 'DENTAL', name: 'Dental practice', active: 'yes' },
  groupMembers: { group: 'DENTAL', person: 'P-000001' },
  peeps: { person: 'P-000001', assistance: 'Two people with the evacuation chair', summary: 'Evacuation chair' },
  assignments: {
    ...{ person: 'P-000001', role: 'FLOOR', site: 'QUARTER', locations: 'A/L3' },
    ...{ date_from: '2026-01-01', date_to: '2026-12-31', status: 'Offered' },
  },
  eventTypes: { code: 'FIRE', type: 'Fire', description: 'Fire or smoke', message: 'Leave the building now.' },
  floorStatuses: {
    code: 'EVACUATED',
    name: 'Evacuated',
    colour: 'green',
    display_order: '2',
    in_use: 'yes',
    means_clear: 'yes',
  },
  checklist: { code: 'ALARM', text: 'Alarm heard everywhere?', display_order: '1', active: 'yes' },
  templates: { code: 'SAFE', type: 'Evacuee', text: 'Are you safe?', automated_response: '1' },
  documents: { code: 'PLAN', name: 'Floor plan', url: 'https://harbour.test/plan.pdf', site: 'QUARTER' },
}

/** Passwords are for the command alone. */
const uploadColumns = ({ columns }: { columns: readonly string[] }) => columns.filter((column) => column !== 'password')

/** Each file with its header and an example row, which a reader passes over for the '# ' before its first cell. */
export const templateFiles = (): { name: string; text: string }[] =>
  Object.entries(directoryFiles).map(([key, format]) => {
    const columns = uploadColumns(format)
    const [first = '', ...cells] = columns.map((column) => examples[key as DirectoryFile][column] ?? '')
    return { name: format.file, text: `\ufeff${csvLine(columns)}# ${csvLine([first, ...cells])}` }
  })
