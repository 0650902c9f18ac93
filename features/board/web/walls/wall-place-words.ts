import type { WallPlace } from '../../kinds.ts'

export const wallPlaceWords: Record<WallPlace, { words: string; shows: string }> = {
  team: { words: 'In a room used by the emergency team', shows: 'It shows what the command board shows.' },
  public: {
    words: 'Where others can see it',
    shows:
      'It shows floors, statuses, numbers of people and floors without a warden. It shows no names, plans or messages.',
  },
}
