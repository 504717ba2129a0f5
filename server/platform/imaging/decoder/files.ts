/** The pictures of a job. */
export interface Files {
  readonly picture: Uint8Array<ArrayBuffer>;
  /** Keeps the picture that the job makes, for the service. */
  store(made: Uint8Array): void;
  /** Bytes of a file that is too large to be sent as a whole: all of them, unless it ends before. */
  read(from: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Writes bytes of the file that the job makes, at any place. */
  write(bytes: Uint8Array, at: number): Promise<void>;
}
