import { Select, TextInput } from '@mantine/core';
import { SLUG_CHOICES } from '#api/constants.ts';
import { MAX_SLUG_LENGTH, type SlugProblem } from '#api/images/slug-rules.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { Options } from './options.ts';

export type AddressProblem = SlugProblem | 'taken';

interface Props {
  options: Options;
  onChange: (change: Partial<Options>) => void;
  count: number;
  problem: AddressProblem | undefined;
}

/** A custom address for the pictures of a batch, and what they get where it is taken. */
export function AddressFields({ options: { slug, slugOr }, onChange, count, problem }: Props) {
  const { t } = useTranslation();
  const choices = SLUG_CHOICES.toReversed().map((value) => ({ value, label: t(`batch.otherAddresses.${value}`) }));
  return (
    <>
      <TextInput
        label={t('picture.address')}
        description={t(count > 1 ? 'batch.addressesHint' : 'batch.slugHint')}
        placeholder="release-notes"
        spellCheck={false}
        autoCapitalize="none"
        maxLength={MAX_SLUG_LENGTH}
        value={slug}
        error={problem && t(`picture.addressProblem.${problem}`)}
        onChange={(event) => onChange({ slug: event.currentTarget.value })}
      />
      {slug && (
        <Select
          label={t('batch.otherAddress')}
          allowDeselect={false}
          value={slugOr}
          onChange={(value) => onChange({ slugOr: SLUG_CHOICES.find((choice) => choice === value) ?? '' })}
          data={count > 1 ? choices : [{ value: '', label: t('batch.otherAddresses.none') }, ...choices]}
        />
      )}
    </>
  );
}
