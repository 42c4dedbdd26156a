export class Store {
  #entries = new Map()

  set(key, value) {
    this.#entries.set(key, value)
  }

  get(key) {
    return this.#entries.get(key)
  }

  has(key) {
    return this.#entries.has(key)
  }

  keys() {
    return [...this.#entries.keys()]
  }
}
