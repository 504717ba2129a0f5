import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './link-list.module.css';

interface Props {
  /** The name and text of each; `label` describes the copy button where the name doesn't suffice. */
  links: readonly { name: string; text: string; label?: string }[];
}

/** A list of links with copy buttons. */
export function LinkList({ links }: Props) {
  const { t } = useTranslation();
  return (
    <ul className={classes.links}>
      {links.map(({ name, text, label = t('links.copyAs', { format: name }) }) => (
        <li key={name}>
          <div>
            <span className={classes.format}>{name}</span>
            <code title={text}>{text}</code>
          </div>
          <CopyButton isLink text={text} label={label} />
        </li>
      ))}
    </ul>
  );
}
