import type { Conversion } from '#api/constants.ts';
import type { FormFields } from './upload.ts';

/** The field for the format of an upload; none for the original, which servers before 0.5 store, too. */
export const convertField = (convert: Conversion): FormFields => (convert === 'original' ? {} : { convert });
