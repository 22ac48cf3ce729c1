/**
 * Batches of statements that are sent and end together: one Sync for all, so that PostgreSQL begins and ends one
 * transaction and answers in one write. A connection stores the plan and the row shape of every named statement, so
 * neither is sent again. node-postgres itself ends each statement separately and requests a description of its columns
 * every time.
 */
import pg from "pg";

export interface BatchStatement {
  /** Name under which the connection stores the plan; undefined: the statement is planned each time. */
  name: string | undefined;
  text: string;
  values: readonly unknown[];
}

type Row = Record<string, unknown>;

interface QueuedStatement extends BatchStatement {
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

/** Methods that node-postgres gives a query class of its own; @types/pg omits them. */
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

/** Names and parsers of a statement's columns, for building its rows. */
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

/** Shapes of the statements that a connection has planned. */
const shapesOf = new WeakMap<pg.PoolClient, Map<string, Shape>>();

/** Query object for node-postgres that passes each answer to the statement it belongs to. */
class Batch extends pg.Query {
  readonly statements: QueuedStatement[] = [];
  private readonly planned: Map<string, Shape>;
  /** Number of answered statements among those sent to PostgreSQL. */
  private at = 0;
  private shape: Shape | undefined;
  /** Named differently from `rows`, which node-postgres reads as a fetch size. */
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
        // A value could not be serialised, so the statement was not sent.
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
      // An earlier batch that failed may have planned the statement.
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
      if (!this.shape) throw new Error("got rows for a statement without rows");
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

  /**
   * Rejects the unanswered statements: PostgreSQL skips those after a failed one, and a lost connection affects all of
   * them.
   */
  handleError(error: unknown): void {
    this.handleReadyForQuery();
    for (const statement of this.statements.slice(this.at)) statement.reject(error);
  }
}

/** Function that runs a statement on a connection. */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Groups statements into batches. Statements started together with `together` form one batch; those of `apart` commit
 * independently. All batches of one tick leave in one write.
 */
export function inBatches(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): { together: RunStatement; apart: RunStatement } {
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

/**
 * Returns the statements of an argument of `client.query`, for code that observes or changes them: a text, a query or a
 * batch.
 */
export function statementsIn(
  given: unknown,
): { name?: string | undefined; text: string; values?: unknown }[] {
  if (typeof given === "string") return [{ text: given }];
  if (given instanceof Batch) return given.statements;
  const { text } = given as { text?: unknown };
  return typeof text === "string" ? [given as { text: string }] : [];
}
