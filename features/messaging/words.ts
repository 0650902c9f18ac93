/** Letter for letter, also where the recipients are wardens. */
export const smsNotActivated =
  "ALL WARDENS SMS messaging is not activated. Use your device's native SMS or phone to communicate with occupants."
