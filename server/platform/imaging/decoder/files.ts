/** The pictures of a job. */
export interface Files {
  readonly picture: Uint8Array<ArrayBuffer>;
  /** Keeps the picture that the job makes, for the service. */
  store(made: Uint8Array): void;
}
