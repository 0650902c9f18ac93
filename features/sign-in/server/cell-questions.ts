import { type Static, Type } from 'typebox'

const text = (maxLength: number) => Type.String({ maxLength })
/** Of the person who asks: the answering cell counts their tries for it, too. */
const network = Type.Object({ line: text(100), home: text(100), site: text(100) })

/** What a cell asks another one. `password`: whether it opens an account. `link`: text a sign-in link. `reset`: mail one. */
export type Question = Static<typeof Question>
export const Question = Type.Union([
  Type.Object({ what: Type.Literal('password'), name: text(254), password: text(1000), network }),
  Type.Object({ what: Type.Literal('link'), phone: text(40), network }),
  Type.Object({ what: Type.Literal('reset'), email: text(254), network }),
])

export const Fits = Type.Object({ fits: Type.Boolean() })
/** Null if the number is unknown there, too. */
export const LinkReply = Type.Object({
  reply: Type.Union([Type.Object({ mobile: Type.Enum(['valid', 'invalid']), popup_text: text(1000) }), Type.Null()]),
})
export const Accepted = Type.Object({ accepted: Type.Boolean() })
