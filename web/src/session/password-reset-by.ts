/**
 * AMB-028: who sets new passwords, as the page's own `<meta name="password-reset">` says: the address of a page
 * elsewhere, `administrator`, or this program by `mail`. Web addresses only.
 */
export function passwordResetBy(): string {
  const said = document.querySelector<HTMLMetaElement>('meta[name="password-reset"]')?.content ?? ''
  return said === 'administrator' || /^https?:\/\//.test(said) ? said : 'mail'
}
