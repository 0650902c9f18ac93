/**
 * What calls for help in a text, language by language. All of it is read from everyone: a person in danger writes in the
 * language that comes first.
 *
 * To add a language, write as people text, in any case and with or without accents. Each entry is folded as the text is, so
 * look for what it becomes: French 'bloquée' is Spanish 'bloque' (a building), 'brennt' the name Brent, Vietnamese 'cháy'
 * (fire) is 'chạy' (run), and Indonesian 'asap' (smoke) is in English texts. Such words go into a phrase or stay out. A false
 * alarm sends a warden to someone who is safe. A missed one is read by a warden as any other text, later. Words for "safe"
 * have no place here (`read-answer.ts`). Add a sentence that must be heard, and an everyday answer that must not, to the test.
 */
export interface Language {
  /** Whole words, with a space between them. */
  words?: string
  /** Several words in a row, with a comma between phrases. */
  phrases?: string
  /** Heard inside a word too: languages that join endings to words, or put no spaces between them. */
  parts?: string
  /** Names of things that have a word of danger in them. */
  things?: string
  /** Make a word of danger doubtful when they stand among the three words before it. */
  noes?: string
  /** The same where there are no spaces: within the letters before. */
  noParts?: string
}

export const languages: Readonly<Record<string, Language>> = {
  pictures: { words: '🆘 🔥 🚨 🚑', things: '🔥 drill, 🚨 drill' },
  en: {
    words: `help helpme helpus hlp sos mayday danger dangerous trapped stuck hurt injured bleeding burning burned burnt
      unconscious collapsed fainted dying suffocating choking drowning fire smoke flames explosion exploded emergency rescue
      shooter gunman gun guns gunshots shooting stabbed bomb bombs seizure`,
    phrases: `not breathing, isnt breathing, stopped breathing, heart attack, chest pain, chest pains, panic attack, no way out,
      locked in, locked inside, shots fired, passed out`,
    things: `fire alarm, fire alarms, fire drill, fire drills, fire exit, fire exits, fire door, fire doors, help desk, help desks,
      bomb drill, bomb drills`,
    noes: 'no not dont doesnt didnt isnt arent wasnt nobody noone none never without nothing',
  },
  de: {
    words:
      'hilfe notfall feuer feuert rauch verletzt eingeschlossen eingeklemmt eingesperrt gefahr bewusstlos herzinfarkt',
    phrases: 'es brennt, hier brennt, brennt es, kein ausweg, atmet nicht',
    noes: 'kein keine keiner nicht nein',
  },
  nl: {
    words: 'hulp brand gewond opgesloten',
    phrases: 'zit vast, zitten vast',
    things: 'brand new, brand name',
    noes: 'niet geen',
  },
  nordic: { words: 'hjälp hjælp hjelp hjálp instängd fastklemt', noes: 'inte ikke ingen' },
  fi: { words: 'apua tulipalo' },
  fr: {
    words: `secours aidez incendie lincendie feu flammes fumée coincé coincée coincés blessé blessée piégé piégée`,
    phrases: `suis bloqué, sommes bloqués, est bloqué, reste bloqué, bloqué dans, bloqués dans, à l'aide, crise cardiaque,
      respire plus, respire pas`,
    things: 'sortie de secours, issue de secours, escalier de secours, feu rouge, feu vert',
    noes: 'pas aucun aucune sans',
  },
  es: {
    words: `ayuda ayúdenme ayúdame ayúdennos socorro auxilio fuego incendio humo atrapado atrapada atrapados atrapadas encerrado
      encerrada encerrados herido herida heridos peligro bomba pistola`,
    phrases: 'no respira, sin salida',
    things: 'mesa de ayuda, bomba de agua',
    noes: 'sin ningún ninguna',
  },
  pt: {
    words: 'ajuda ajudem socorro fogo incêndio fumaça perigo ferido ferida feridos',
    // 'preso' alone is Italian for 'taken'
    phrases: `estou preso, estou presa, estamos presos, fiquei preso, fiquei presa, ficamos presos, preso no, presa no, presos no, preso na,
      não respira`,
    noes: 'nadie não sem',
  },
  it: {
    words: `aiuto aiutatemi aiutateci soccorso fuoco incendio fumo pericolo intrappolato intrappolata intrappolati incastrato
      incastrata incastrati ferito ferita feriti`,
    phrases: 'sono bloccato, sono bloccata, siamo bloccati, bloccati in, non respira',
    things: 'pronto soccorso',
    noes: 'non nessuno senza',
  },
  ro: { words: 'ajutor', noes: 'fără' },
  pl: { words: 'pomoc pomocy ratunku pożar', noes: 'nie' },
  'cs sk hr sr': { words: 'upomoć pomoć pomôžte požár помоћ упомоћ', noes: 'ne není' },
  hu: { words: 'segítség segítsetek', noes: 'nem nincs' },
  'ru uk bg': {
    words: `помогите помоги помощь спасите пожар опасность горит горим застрял застряла застряли ранен ранена задыхаюсь сос
      допоможіть допоможи рятуйте ратуйте ратуйце допомога пожежа горить застряг застрягла дим помощ`,
    phrases: 'не дышит, не дихає',
    noes: 'нет не без немає нема',
  },
  el: { words: 'βοήθεια φωτιά κίνδυνος παγιδευμένος παγιδευμένη παγιδευμένοι εγκλωβισμένος', noes: 'δεν όχι χωρίς' },
  tr: {
    // 'yardımcı' and the like begin with it
    words: 'imdat yardım yardıma yangın mahsur yaralı kurtarın',
    // 'gün' is a day
    things: 'bu gün, her gün, iyi gün, bütün gün, tüm gün',
  },
  he: { words: 'עזרה הצילו שריפה אש לכוד לכודה תקוע תקועה פצוע פצועה סכנה', noes: 'לא אין בלי' },
  ar: {
    words: `مساعدة المساعدة ساعدوني ساعدونا ساعدني خطر النجدة نجدة أنقذوني أنقذونا أنقذني حريق الحريق نار دخان محاصر محاصرة محاصرون
      عالق عالقة عالقون مصاب`,
    noes: 'لا ليس بدون',
  },
  'fa ur': {
    words: 'کمک نجات آتش مدد بچاؤ آگ',
    phrases: 'گیر افتادم, گیر افتادیم, پھنس گیا, پھنس گئے',
    noes: 'نه نیست نہیں',
  },
  'hi mr ne': { words: 'मदद मदत मद्दत बचाओ बचाइए बचाउनुहोस् वाचवा सहायता आग फंस फँस घायल खतरा', noes: 'नहीं' },
  'bn as': { words: 'আগুন বাঁচাও বাঁচান', parts: 'সাহায্য সহায়', noes: 'না নেই' },
  pa: { words: 'ਮਦਦ ਬਚਾਓ ਅੱਗ', noes: 'ਨਹੀਂ' },
  gu: { words: 'મદદ બચાવો આગ', noes: 'નથી' },
  or: { parts: 'ସାହାଯ୍ୟ', words: 'ନିଆଁ' },
  ta: { parts: 'உதவி காப்பாற்ற', words: 'தீ' },
  te: { parts: 'సహాయం కాపాడ', words: 'సాయం' },
  kn: { parts: 'ಸಹಾಯ ಕಾಪಾಡ', words: 'ಬೆಂಕಿ' },
  ml: { parts: 'സഹായം സഹായിക്ക രക്ഷിക്ക', words: 'തീ' },
  si: { parts: 'සහාය උදව්', words: 'ගින්න' },
  th: { parts: 'ช่วย ไฟไหม้ ติดอยู่', things: 'ขอบคุณที่ช่วย', noParts: 'ไม่' },
  lo: { parts: 'ຊ່ວຍ ໄຟໄໝ້ ໄຟໄຫມ້', noParts: 'ບໍ່' },
  km: { parts: 'ជួយ សង្គ្រោះ ភ្លើងឆេះ', noParts: 'មិន' },
  my: { parts: 'ကူညီ ကယ်ပါ မီးလောင်' },
  zh: {
    parts:
      '救命 救我 救救 求救 求助 帮我 幫我 被困 危险 危險 着火 著火 起火 失火 火灾 火災 火警 受伤 受傷 救护车 救護車 炸弹 炸彈',
    things: '火警演习, 火警演習, 火警铃, 火警鈴, 火警钟, 火警鐘',
    noParts: '没 不 無 无 沒 別 别',
  },
  // without accents 'が' is 'か'
  ja: {
    parts: '助けて たすけて 救助 火事 危険 閉じ込め 動けない 怪我',
    things: '火災報知, 火災訓練',
  },
  ko: { parts: '도와 살려 불이야 불났 갇혔 갇혀 구해주 다쳤', noes: '안', noParts: '안' },
  vi: { words: 'giúp cứu', phrases: 'mắc kẹt, hoả hoạn, hỏa hoạn', noes: 'không' },
  'ms id': { words: 'tolong bantu bantuan kebakaran terjebak terperangkap', noes: 'tidak tak bukan' },
  tl: { words: 'saklolo tulong sunog naipit', noes: 'hindi wala walang' },
  sw: { words: 'msaada nisaidie nisaidieni tusaidie hatari', noes: 'hakuna' },
  'mi sm so ht': { words: 'āwhina fesoasoani caawi anmwe' },
}

/** 'need', 'send', then one of these within four words. */
export const wanting = ['need', 'needs', 'needed', 'send', 'call', 'want']
export const wanted = [
  ...['ambulance', 'doctor', 'someone', 'somebody', 'paramedic', 'medic', 'assistance', 'police', 'wheelchair'],
  ...['stretcher', 'firefighters'],
]

/** 'cannot', then one of these at once or behind one word. */
export const unable = ['cannot', 'cant', 'unable', 'couldnt']
export const unableTo = ['breathe', 'breath', 'move', 'walk', 'get out', 'get down', 'escape', 'evacuate']
