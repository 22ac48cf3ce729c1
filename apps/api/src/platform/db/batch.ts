/**
 * Statements that leave a connection together and end together: one Sync for all, so PostgreSQL begins and ends once and answers in
 * one write. A connection keeps the plan of every named statement and with it what its rows look like, so neither is said again.
 * node-postgres ends each statement by itself, and has every answer describe its columns.
 */
import pg from "pg";

export interface BatchStatement {
  /** Under which the connection keeps its plan; without one it is planned each time. */
  name: string | undefined;
  text: string;
  values: readonly unknown[];
}

type Row = Record<string, unknown>;

interface Asked extends BatchStatement {
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

/** What node-postgres has for a query of its own, and @types/pg leaves out. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly unknown[]; valueMapper(value: unknown): unknown }): void;
  describe(portal: { type: "P"; name: string }): void;
  execute(portal: { portal: string; rows: number }): void;
  close(statement: { type: "S"; name: string }): void;
  sync(): void;
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

interface Column {
  name: string;
  dataTypeID: number;
}

/** How to make rows of what a statement answers. */
interface Shape {
  names: string[];
  parsers: ((text: string) => unknown)[];
}

const shapeOf = (columns: readonly Column[]): Shape => ({
  names: columns.map(({ name }) => name),
  parsers: columns.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID) as (text: string) => unknown),
});

function rowOf({ names, parsers }: Shape, texts: readonly (string | null)[]): Row {
  const row: Row = {};
  for (let n = 0; n < names.length; n++) {
    const text = texts[n];
    row[names[n] as string] = text == null ? null : parsers[n]?.(text);
  }
  return row;
}

/** The shapes of the statements that a connection has planned. */
const shapesOf = new WeakMap<pg.PoolClient, Map<string, Shape>>();

/** One piece of work for node-postgres, which hands it the answers of its statements in turn. */
class Batch extends pg.Query {
  readonly statements: Asked[] = [];
  private readonly planned: Map<string, Shape>;
  /** Of the statements that PostgreSQL was sent, how many are answered. */
  private at = 0;
  private shape: Shape | undefined;
  /** Not `rows`, by which node-postgres asks for some at a time. */
  private gathered: Row[] = [];
  private unreadable: unknown;
  private readonly answers: { rows: Row[]; unreadable: unknown }[] = [];

  constructor(planned: Map<string, Shape>) {
    super({ text: "" });
    this.planned = planned;
    this.submit = (connection) => this.send(connection as unknown as Wire);
  }

  private send(wire: Wire): null {
    wire.stream.cork();
    for (const statement of [...this.statements]) {
      try {
        this.sendOne(wire, statement);
      } catch (error) {
        // A value that has no text. Nothing of it was sent.
        this.statements.splice(this.statements.indexOf(statement), 1);
        statement.reject(error);
      }
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  private sendOne(wire: Wire, { name = "", text, values }: BatchStatement): void {
    const isPlanned = name !== "" && this.planned.has(name);
    if (!isPlanned) {
      // It may have been planned by a batch that failed afterwards.
      if (name !== "") wire.close({ type: "S", name });
      wire.parse({ name, text });
    }
    wire.bind({ statement: name, values, valueMapper: prepareValue });
    if (!isPlanned) wire.describe({ type: "P", name: "" });
    wire.execute({ portal: "", rows: 0 });
  }

  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.shape = shapeOf(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.shape ??= this.planned.get(this.statements[this.at]?.name ?? "");
      if (!this.shape) throw new Error("rows of a statement that has none");
      this.gathered.push(rowOf(this.shape, fields));
    } catch (error) {
      this.unreadable ??= error;
    }
  }

  handleCommandComplete(): void {
    const name = this.statements[this.at]?.name;
    if (name && !this.planned.has(name)) this.planned.set(name, this.shape ?? { names: [], parsers: [] });
    this.answers.push({ rows: this.gathered, unreadable: this.unreadable });
    this.at++;
    this.shape = undefined;
    this.gathered = [];
    this.unreadable = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    for (const [n, { rows, unreadable }] of this.answers.entries()) {
      const statement = this.statements[n];
      if (unreadable === undefined) statement?.resolve(rows);
      else statement?.reject(unreadable);
    }
  }

  /** PostgreSQL skips what is behind a statement that failed; where the connection is lost, that is everything. */
  handleError(error: unknown): void {
    this.handleReadyForQuery();
    for (const statement of this.statements.slice(this.at)) statement.reject(error);
  }
}

/** Asks a statement of a connection. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * `together`: statements begun in one go are one batch. `apart`: committed independently of the other batches. All batches of
 * one go are one write.
 */
export function inBatches(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): { together: Ask; apart: Ask } {
  const planned = shapesOf.get(client) ?? new Map<string, Shape>();
  shapesOf.set(client, planned);
  let batches: Batch[] = [];
  let open: Batch | undefined;

  function send(): void {
    const { stream } = (client as unknown as { connection: Wire }).connection;
    stream.cork();
    for (const batch of batches) client.query(batch);
    stream.uncork();
    batches = [];
    open = undefined;
  }

  function add(): Batch {
    if (batches.length === 0) process.nextTick(send);
    const batch = new Batch(planned);
    batches.push(batch);
    return batch;
  }

  function answerTo(batch: Batch, text: string, values: readonly unknown[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      batch.statements.push({ name: nameOf(text), text, values, resolve, reject });
    });
  }

  return {
    together(text, values) {
      open ??= add();
      return answerTo(open, text, values);
    },
    apart(text, values) {
      open = undefined;
      return answerTo(add(), text, values);
    },
  };
}

/** What a connection is asked to run, for those who watch it or change it: a text, a query or a batch. */
export function statementsIn(
  asked: unknown,
): { name?: string | undefined; text: string; values?: unknown }[] {
  if (typeof asked === "string") return [{ text: asked }];
  if (asked instanceof Batch) return asked.statements;
  const { text } = asked as { text?: unknown };
  return typeof text === "string" ? [asked as { text: string }] : [];
}
