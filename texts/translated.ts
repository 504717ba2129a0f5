/** What a translation of these texts must provide. */
export type Translated<T> = {
  // Languages without a singular form, such as Chinese, omit those keys.
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Translated<T[K]>;
};
