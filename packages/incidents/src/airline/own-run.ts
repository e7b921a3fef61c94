import { askFor, type Message } from '../chat.js'
import type { Run } from './run.js'

const said = (content: string): Message => ({ role: 'user', content })
const answered = (content: string): Message => ({ role: 'assistant', content })

/** What the model asks of a tool, and what the tool answers. */
const looked = (id: string, name: string, args: object, content: string): Message[] => [
  askFor(id, name, args),
  { role: 'tool', tool_call_id: id, name, content },
]

/** A talk at a hotel's desk, small enough to be committed: four tools, and a look-up that fails and is tried again. */
export const hotelDesk: Run = {
  run: 'hotel-desk',
  reward: 1,
  messages: [
    {
      role: 'system',
      content:
        'You answer guests of the Lindenhof, a hotel of forty rooms. Find the booking before you talk about it. ' +
        'Change a stay only after the guest has agreed to the price, and leave a note for the night shift. ' +
        'Today is 3 March 2031.',
    },
    said('Good evening, this is Aino Mäkelä. We arrive on Thursday and would like to stay one night longer.'),
    ...looked('call_h1', 'find_booking', { guest: 'Makela', arrival: '2031-03-06' }, 'Error: no booking for "Makela"'),
    ...looked(
      'call_h2',
      'find_booking',
      { guest: 'Mäkelä', arrival: '2031-03-06' },
      '{"booking":"LH-4127","guest":"Aino Mäkelä","room":"garden double","nights":2,"rate":118.5,"paid":true}',
    ),
    ...looked(
      'call_h3',
      'check_availability',
      { room: 'garden double', night: '2031-03-08' },
      '{"room":"garden double","night":"2031-03-08","free":0,"instead":[{"room":"tower double","rate":131.0}]}',
    ),
    answered(
      'Good evening, Ms Mäkelä. I have your two nights from Thursday, booking LH-4127. The garden double is taken ' +
        'on Saturday; a tower double is free for 131.00. Would you like to move for the last night?',
    ),
    said('Is breakfast part of that?'),
    answered('It is, as on your other nights. Shall I add Saturday in the tower double for 131.00?'),
    said('Then yes, please. And we have a dog with us, a small one 🐕.'),
    ...looked(
      'call_h4',
      'change_booking',
      { booking: 'LH-4127', add: [{ night: '2031-03-08', room: 'tower double', rate: 131 }] },
      '{"booking":"LH-4127","nights":3,"due":131.0,"changed":true}',
    ),
    ...looked('call_h5', 'add_note', { booking: 'LH-4127', note: 'Small dog; moves to the tower on Saturday.' }, ''),
    answered('All set: three nights, 131.00 to be paid on arrival, and the house knows about the dog.'),
    said('Wonderful, see you on Thursday. ###STOP###'),
  ],
}
