import type { Incident } from './incident.js'
import { emailBlast } from './incidents/email-blast.js'
import { invoice } from './incidents/invoice.js'
import { payout } from './incidents/payout.js'
import { prodDelete } from './incidents/prod-delete.js'
import { refund } from './incidents/refund.js'
import { trade } from './incidents/trade.js'

/** The six, in the order in which they are listed everywhere. */
export const incidents: readonly Incident[] = [refund, invoice, trade, emailBlast, payout, prodDelete]
