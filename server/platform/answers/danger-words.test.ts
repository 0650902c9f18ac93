import { expect, test } from 'vitest'
import { readAnswer } from './read-answer.ts'

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
const readAs = (text: string) => [true, false].map((asked) => readAnswer(text, { asked, sent: [] }))

test.each(
  lines(`
    he is not breathing
    helpme
    hlp
    my boss has a heart attack
    man with a gun
    there is a bomb
    no way out
    we are locked in
    need a wheelchair on level 2
    🔥
    🚑 level 3
    🆘🆘
    🚨
    సహాయం
    సహాయం కావాలి
    ಸಹಾಯ ಮಾಡಿ
    ಸಹಾಯಬೇಕು
    സഹായം വേണം
    සහාය
    මට උදව් ඕන
    મદદ કરો
    ਮਦਦ ਕਰੋ
    ସାହାଯ୍ୟ କରନ୍ତୁ
    সাহায্য করুন
    উপরে আগুন
    உதவி
    உதவிக்கு வாருங்கள்
    मदद चाहिए
    मदत करा
    यहाँ आग लगी है
    ช่วย
    ช่วยด้วยครับ
    มีไฟไหม้ที่ชั้นสาม
    ຊ່ວຍແດ່
    ជួយផង
    ကူညီပါ
    بچاؤ
    مدد کرو
    أنقذوني
    النجدة!
    کمک
    كمك
    هناك حريق
    我們被困了
    求助
    火警
    幫我
    请帮我一下
    受伤了
    たすけて
    助けてください
    火事だ
    エレベーターに閉じ込められました
    갇혔어요
    살려주세요
    도와주세요
    불이야
    사람이 다쳤어요
    msaada tafadhali
    saklolo
    tulong po
    bantu saya
    tolong
    giúp tôi với
    cứu tôi
    mắc kẹt trong thang máy
    ich bin eingeklemmt
    Feuer im dritten Stock
    hier brennt es
    je suis bloqué
    elle est coincée
    elle est bloquée
    il y a le feu
    au secours
    à l’aide
    c’est l’incendie
    soccorso
    sono incastrata
    estoy atrapado
    fuego
    no respira
    estou preso no elevador
    fogo!
    brand op 3
    ik zit vast
    pomocy
    ратуйте
    допоможіть
    помогите
    СОС
    спасите
    он не дышит
    βοήθεια
    ΒΟΗΘΕΙΑ
    φωτιά
    imdat
    yardıma ihtiyacım var
    YANGIN VAR
    עזרה
    הצילו
    hеlp
    НЕLР
    ЅОЅ
    hεlp me
    fіre on 4
  `),
)('ANS-11 "%s" calls for help, asked or not', (text) => expect(readAs(text)).toEqual(['help', 'help']))

test.each(
  lines(`
    not trapped
    nobody has a gun
    no fire here, I am safe
    kein Feuer hier
    pas de feu ici
    no hay nadie atrapado, sin peligro
    não há fogo
    nessuno è ferito
    geen brand
    тут нет пожара, не горит
    немає пожежі тут, не горить
    没有被困
    不需要帮我
    ไม่มีไฟไหม้
    안 다쳤어요
    tidak terjebak
    không cần giúp
  `),
)('ANS-04 ANS-11 "%s" denies a danger and may be a call for help', (text) =>
  expect(readAs(text)).toEqual(['maybe', 'maybe']),
)

test('ANS-11 a no behind the word, or far before it, does not make it doubtful', () => {
  for (const text of ['मदद नहीं मिल रही है', 'yardım yok', 'no one on this floor is trapped'])
    expect(readAs(text)).toEqual(['help', 'help'])
})

test.each(
  lines(`
    Gunnar is with me
    flying to Bombay
    une feuille
    brand new door
    Brent is here
    bu gün iyiyim
    ASAP
    I use a wheelchair
    two
    two of us
    we are 4 people
    estoy bien en el bloque 3
    todo bien, estoy fuera
    tudo bem, estou fora
    ho preso le scale, sono fuori
    tutto bene
    alles gut, ich bin draußen
    ik ben veilig buiten
    tout va bien, je suis dehors
    sorti par la sortie de secours
    sono al pronto soccorso come infermiere
    jestem bezpieczny
    я в порядке, на улице
    я в безпеці
    είμαι καλά
    iyiyim, dışarıdayım
    אני בסדר
    أنا بخير
    من خوبم
    मैं सुरक्षित हूँ
    আমি নিরাপদ
    நான் பாதுகாப்பாக இருக்கிறேன்
    నేను క్షేమంగా ఉన్నాను
    ನಾನು ಸುರಕ್ಷಿತವಾಗಿದ್ದೇನೆ
    ഞാൻ സുരക്ഷിതനാണ്
    මම ආරක්ෂිතයි
    ပန်းကို ကြည့်
    ឈ្នះជ័យ
    ปลอดภัยแล้ว
    ຂ້ອຍປອດໄພ
    我很安全
    火警演习吗
    無事です
    안전해요
    tôi chạy ra ngoài rồi
    saya selamat di luar
    ligtas ako
    niko salama
    sаfe
  `),
)('ANS-11 "%s" raises nothing, and is for a warden to read', (text) => expect(readAs(text)).toEqual(['words', 'words']))
