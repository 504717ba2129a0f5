export type Step = 'rows' | 'files' | 'check';

/** What a step deals with: tables and their rows, or files and their bytes. */
export interface Amounts {
  files: number;
  size: number;
}

/** Where the progress of a migration goes. */
export interface Reporting {
  onStart(step: Step, total: Amounts): void;
  onProgress(done: Partial<Amounts>): void;
  /** Called with a sentence about each file that is missing or damaged. */
  onLost(sentence: string): void;
}
