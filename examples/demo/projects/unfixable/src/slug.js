/** The end of an address, made from a title: small letters of a to z, digits and hyphens. */
export function slug(title) {
  return title.trim().toLowerCase().replaceAll(' ', '-')
}

export function isTooLong(title) {
  return slug(title).length > 40
}
