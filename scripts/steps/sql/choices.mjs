/**
 * Where code decides at run time which text a statement gets, each way is taken at least once: a statement with three searches
 * has some texts, not eight. Ways that depend on the same condition go together.
 */
export class Choices {
  /** @type {Set<string>} */
  #known = new Set();
  /** @type {Map<string, number>[]} */
  #open = [new Map()];
  #taken = new Map();

  /** Runs the body once for each way that has not been taken yet. */
  *runs() {
    for (let next = this.#open.shift(); next; next = this.#open.shift()) {
      this.#taken = next;
      yield;
    }
  }

  /**
   * @param {string} key the same for what is decided together
   * @returns {number} which of them the present run takes
   */
  choose(key, count) {
    // What one caller of a function leaves open says nothing of what another does.
    return this.#choose(`${key} ${this.#callers()}`, count);
  }

  /** Which of the calls of a function the present run comes through. */
  chooseCaller(owner, count) {
    return this.#choose(`${caller}${owner}`, count);
  }

  #callers() {
    return [...this.#taken].flatMap(([key, way]) => (key.startsWith(caller) ? [`${key} ${way}`] : [])).join();
  }

  #choose(key, count) {
    if (!this.#known.has(key)) {
      this.#known.add(key);
      for (let way = 1; way < count; way++) this.#open.push(new Map(this.#taken).set(key, way));
    }
    return this.#taken.get(key) ?? 0;
  }
}

const caller = "called ";
