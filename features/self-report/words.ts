export const posterSentence = 'In an emergency: say that you are safe, or call for help'
