// Ships before it is paid, every time.
class Order {
  paid() {}
  ship() {}
}
const order = new Order()
order.ship()
order.paid()
