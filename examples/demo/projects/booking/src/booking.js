/** A stay has a first day and a day of departure, both counted in days since the start of the year. */

const pricePerNight = 80

export function nights(stay) {
  return stay.departure - stay.arrival
}

/** On the day of departure the room is free again. */
export function overlap(one, other) {
  return one.arrival < other.departure && other.arrival < one.departure
}

/** Every seventh night is free. */
export function price(stay) {
  const free = Math.ceil(nights(stay) / 7)
  return (nights(stay) - free) * pricePerNight
}
