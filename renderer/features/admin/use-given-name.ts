import { useTranslation } from 'react-i18next';

/** The groups and the storage that every Pixdock begins with, by the names that they get there. */
const GIVEN = { Owner: 'given.owner', Users: 'given.users', Guests: 'guests', 'This computer': 'given.computer' } as const;

/** Answers a function that says such a name in the language of the page; a name that somebody has chosen stays as it is. */
export function useGivenName(): (name: string) => string {
  const { t } = useTranslation('admin');
  return (name) => (name in GIVEN ? t(GIVEN[name as keyof typeof GIVEN]) : name);
}
