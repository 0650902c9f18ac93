import { wordOf } from '#kernel/action-words.ts'
import { type ChosenKind, chosenKinds, type InstructionKind } from './kinds.ts'
import { instructionWord } from './words.ts'

export const isChosen = (kind: InstructionKind): kind is ChosenKind => (chosenKinds as readonly string[]).includes(kind)

export const wordOfInstruction = (kind: InstructionKind): string =>
  isChosen(kind) ? instructionWord[kind] : wordOf(kind)
