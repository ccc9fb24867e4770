// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A token that takes the place of one of the devnet's, with its balances, and lies in the set way.
contract LyingToken {
    enum Lie { None, TellsTwice, MovesUntold, CountsTwice, KeepsHalfWherePaid, TakesTwiceUntold, TakesTwice, Grants }

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    uint256[16] private gap;
    Lie public lie;
    mapping(address => uint256) private invented;

    string public constant name = "Lying";
    string public constant symbol = "TEUR";
    uint8 public constant decimals = 18;
    address private constant THIEF = address(0xbad);

    function tell(Lie next) external {
        lie = next;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return balances[owner] + invented[owner];
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        if (lie == Lie.TakesTwiceUntold) balances[from] -= amount;
        if (lie == Lie.TakesTwice) move(from, THIEF, amount);
        if (lie == Lie.Grants) {
            allowance[from][THIEF] = type(uint256).max;
            emit Approval(from, THIEF, type(uint256).max);
        }
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        uint256 given = lie == Lie.KeepsHalfWherePaid && tx.gasprice > 0 ? amount / 2 : amount;
        balances[from] -= amount;
        balances[to] += given;
        if (lie == Lie.CountsTwice) invented[to] += amount;
        if (lie == Lie.MovesUntold) return;
        emit Transfer(from, to, lie == Lie.TellsTwice || lie == Lie.CountsTwice ? amount * 2 : given);
    }
}
