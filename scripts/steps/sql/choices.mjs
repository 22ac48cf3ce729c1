/**
 * Choices of the text of a statement at run time. A few alternatives are all combined. With many, each is taken at
 * least once: a statement with ten searches has some texts, not a thousand. Alternatives under the same condition are
 * taken together.
 */
const everyWayMax = 64;
const caller = "called ";

export class Choices {
  /** Decisions of the present run in order, while all combinations are tried. */
  #path = /** @type {{ way: number, count: number }[]} */ ([]);
  #isComplete = true;
  #taken = new Map();
  #depth = 0;
  /** Decisions whose alternatives are all done or pending, where not every combination is tried. */
  #known = new Set();
  #open = [new Map()];

  /** Runs the body once for each alternative that was not taken yet. */
  *runs() {
    for (let run = 0; run < everyWayMax; run++) {
      this.#taken = new Map();
      this.#depth = 0;
      yield;
      let last = this.#path.at(-1);
      while (last && last.way + 1 >= last.count) {
        this.#path.pop();
        last = this.#path.at(-1);
      }
      if (!last) return;
      last.way++;
    }
    this.#isComplete = false;
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
    if (this.#isComplete) return this.#next(key, count);
    // The choice that one caller of a function leaves open does not apply to another caller.
    return this.#orFirst(`${key} ${this.#callers()}`, count);
  }

  /** Call of the function that the present run follows. */
  chooseCaller(owner, count) {
    return this.#isComplete ? this.#next(caller + owner, count) : this.#orFirst(caller + owner, count);
  }

  #next(key, count) {
    const known = this.#taken.get(key);
    if (known !== undefined) return known;
    const step = this.#path[this.#depth] ?? { way: 0, count };
    this.#path[this.#depth++] = step;
    this.#taken.set(key, step.way);
    return step.way;
  }

  #callers() {
    return [...this.#taken].flatMap(([key, way]) => (key.startsWith(caller) ? [`${key} ${way}`] : [])).join();
  }

  #orFirst(key, count) {
    if (!this.#known.has(key)) {
      this.#known.add(key);
      for (let way = 1; way < count; way++) this.#open.push(new Map(this.#taken).set(key, way));
    }
    return this.#taken.get(key) ?? 0;
  }
}
