/** Words that call for help wherever they stand in a text, by language. They are folded as the text is. */
const words = `
  help sos mayday danger dangerous trapped stuck hurt injured bleeding burning burned burnt unconscious collapsed
  fainted dying suffocating choking drowning fire smoke flames explosion emergency rescue shooter gunman shooting stabbed
  🆘
  hilfe notfall feuer rauch verletzt eingeschlossen gefahr
  hulp hjälp hjælp hjelp apua hjálp
  secours aidez incendie fumée coincé coincée blessé blessée
  ayuda ayúdenme ayúdame socorro auxilio fuego incendio humo atrapado atrapada herido herida peligro
  ajuda ajudem fogo incêndio fumaça perigo aiuto aiutatemi incendio fumo pericolo intrappolato intrappolata
  ajutor pomoc pomocy ratunku pożar pomôžte segítség upomoć
  помогите помощь спасите пожар опасность допоможіть рятуйте помощ βοήθεια
  imdat yardım yangın
  مساعدة المساعدة خطر النجدة ساعدوني حريق کمک مدد הצילו עזרה
  मदद बचाओ আগুন বাঁচাও সাহায্য உதவி ਮਦਦ સહાય
  cứu giúp tulong sunog tolong kebakaran bantuan āwhina fesoasoani caawi
`

/** Of languages that put no spaces between words, or join endings to them. */
const partsOfWords = '救命 救我 救救 危险 危險 着火 起火 火灾 助けて 火事 危険 도와 살려 불이야 ช่วยด้วย ช่วยฉัน ไฟไหม้'

/** What makes one of these words doubtful when it stands before it. */
const noes = `no not dont doesnt didnt isnt arent wasnt nobody noone none never without nothing kein keine keiner nicht nein
  pas aucun aucune sans sin ningún ninguna nadie não sem non nessuno senza niet geen nie нет не без لا ليس नहीं không`
const partsOfNoes = '没 不 無 无 沒 別 안 ไม่'

/** Behind a word these make it the name of a thing. */
export const namedThings: Readonly<Record<string, readonly string[]>> = {
  fire: ['alarm', 'alarms', 'drill', 'drills', 'exit', 'exits', 'door', 'doors'],
  help: ['desk', 'desks'],
}

/** 'need', 'send', then one of these within four words. */
export const wanting = ['need', 'needs', 'needed', 'send', 'call', 'want']
export const wanted = ['ambulance', 'doctor', 'someone', 'somebody', 'paramedic', 'medic', 'assistance', 'police']

/** 'cannot', then one of these at once or behind one word. */
export const unable = ['cannot', 'cant', 'unable', 'couldnt']
export const unableTo = ['breathe', 'breath', 'move', 'walk', 'get out', 'get down', 'escape', 'evacuate']

const listed = (text: string) => text.trim().split(/\s+/)
export const dangerWords = listed(words)
export const dangerParts = listed(partsOfWords)
export const noWords = listed(noes)
export const noParts = listed(partsOfNoes)
