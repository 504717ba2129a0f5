import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '#main/texts/en.ts';

/** The account that main uploads with, as the tray shows it. */
export interface AccountState {
  /** Undefined until known. */
  name: string | undefined;
  /** It is disabled or gone, so uploads wait. */
  missing: boolean;
}

export function accountItems({ account }: { account: AccountState }, texts: Texts): MenuItemConstructorOptions[] {
  if (account.missing) return [{ label: texts.accountMissingLabel, enabled: false }];
  return account.name === undefined ? [] : [{ label: texts.uploadsAs(account.name.replaceAll('&', '&&')), enabled: false }];
}
