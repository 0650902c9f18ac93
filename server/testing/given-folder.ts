import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A small organisation: two floors, a chief warden and a floor warden with accounts, an occupant with a plan, a visitor. */
const small: Record<string, string> = {
  'organisation.csv': 'code,name,sms_allowed,timezone,country\nSMALL,Small Ltd,yes,Australia/Sydney,AU\n',
  'sites.csv': 'code,name,timezone\nS1,Main Site,Australia/Sydney\n',
  'buildings.csv': 'site,code,name\nS1,B1,North House\n',
  'floors.csv': 'building,code,name,level,kind\nB1,G,Ground,0,floor\nB1,L1,Level 1,1,floor\n',
  'roles.csv':
    'code,name,area_domain,modules\nCHIEF,Chief Warden,Site,Event_Management My_Messages\nFLOOR,Floor Warden,Floor,Floor_Evacuation\n',
  'people.csv': `code,first_name,last_name,email,username,mobile,password,floor,kind,visit_date,is_client_master
P1,Ada,Abara,ada@small.test,,0491 000 901,evacuate1,B1/G,staff,,yes
P2,Ben,Brandt,ben@small.test,benb,0491 000 902,,B1/L1,staff,,no
P3,Cleo,Cho,cleo@small.test,,,,B1/L1,staff,,no
V1,Vera,Vos,,,+61 491 000 904,,B1,visitor,today,no
`,
  'peeps.csv': 'person,disability,assistance,other,summary\nP3,Deaf,Tell in person,,Tell in person\n',
  'assignments.csv': `person,role,site,locations,date_from,date_to,status
P1,CHIEF,S1,,2020-01-01,2099-12-31,Accepted
P2,FLOOR,S1,B1/L1,today-10,today+300,Offered
`,
  'event_types.csv': 'code,type,description,message\nFIRE,Fire,Fire or smoke,Leave now.\n',
  'floor_statuses.csv': 'code,name,colour,display_order,in_use\nNS,Not Started,grey,1,yes\n',
  'templates.csv': 'code,type,text,automated_response\nE1,Evacuee,Are you safe?,1\nE2,Evacuee,Please wait.,0\n',
  'documents.csv': 'code,name,url,file,site,role,person\nD1,Plan,https://example.com/plan.pdf,,S1,,\n',
}

/** The small organisation in a folder of its own; a file given as undefined is left out. */
export function givenFolder(over: Record<string, string | Buffer | undefined> = {}) {
  const path = mkdtempSync(join(tmpdir(), 'evac-import-'))
  const write = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), content)
  }
  for (const [file, content] of Object.entries({ ...small, ...over })) if (content !== undefined) write(file, content)
  return {
    path,
    write,
    /** Replaces a piece of a file that is there once. */
    edit(file: string, from: string, to: string) {
      const content = readFileSync(join(path, file), 'utf8')
      if (content.split(from).length !== 2) throw new Error(`'${from}' is not once in ${file}`)
      write(
        file,
        content.replace(from, () => to),
      )
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
